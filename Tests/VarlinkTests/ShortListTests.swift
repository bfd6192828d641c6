import Testing
import Varlink

/// ``ShortList`` beside an array to which the same is done.
@Suite struct ShortListTests {
  @Test func `it is the list that an array would be`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var (list, array): (ShortList<Int>, [Int]) = ([], [])
      for value in 0..<12 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          list.append(value)
          array.append(value)
        case 2:
          let bounds = [
            Int.random(in: 0...array.count, using: &random), Int.random(in: 0...array.count, using: &random),
          ]
          let range = (bounds.min() ?? 0)..<(bounds.max() ?? 0)
          let new = Array(0..<Int.random(in: 0...3, using: &random))
          list.replaceSubrange(range, with: new)
          array.replaceSubrange(range, with: new)
        default:
          guard let index = array.indices.randomElement(using: &random) else { continue }
          list[index] = -value
          array[index] = -value
        }
        #expect(list.count == array.count && list.elementsEqual(array) && list == ShortList(array))
      }
    }
  }

  @Test(arguments: [[], [7], [7, 8], [1, 2, 3]])
  func `it is written and read as an array is`(_ elements: [Int64]) throws {
    let written = try VarlinkParameters(encoding: ["list": ShortList(elements)])
    #expect(try written.json == VarlinkParameters(encoding: ["list": elements]).json)
    #expect(try written.decode([String: ShortList<Int64>].self) == ["list": ShortList(elements)])
  }
}
