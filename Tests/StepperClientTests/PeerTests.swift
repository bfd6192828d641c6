import Testing

/// Everything that needs a peer at the other end of a socket, one after another.
@Suite(.serialized, .timeLimit(.minutes(1))) enum PeerTests {}
