// Follows a control with nothing but the standard library.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
)

type reply struct {
	Error      string `json:"error"`
	Parameters struct {
		States []struct {
			Control string  `json:"control"`
			Text    *string `json:"text"` // nil: unset
		} `json:"states"`
	} `json:"parameters"`
}

func main() {
	// STEPPERD_ADDRESS, else the socket of the user's daemon, else that of the system's.
	address, _, _ := strings.Cut(strings.TrimPrefix(os.Getenv("STEPPERD_ADDRESS"), "unix:"), ";")
	addresses := []string{address}
	if address == "" {
		addresses = []string{os.Getenv("XDG_RUNTIME_DIR") + "/stepperd/org.stepperd", "/run/stepperd/org.stepperd"}
	}
	var connection net.Conn
	var err error
	for _, address := range addresses {
		if connection, err = net.Dial("unix", address); err == nil {
			break
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()

	call, _ := json.Marshal(map[string]any{
		"method":     "org.stepperd.control.Subscribe",
		"parameters": map[string]any{"match": []string{"volume"}},
		"more":       true,
	})
	if _, err := connection.Write(append(call, 0)); err != nil {
		log.Fatal(err)
	}
	for reader := bufio.NewReader(connection); ; {
		message, err := reader.ReadBytes(0) // every message ends with a NUL
		if err != nil {
			log.Fatal(err)
		}
		var reply reply
		if err := json.Unmarshal(message[:len(message)-1], &reply); err != nil {
			log.Fatal(err)
		}
		if reply.Error != "" {
			log.Fatal(reply.Error)
		}
		for _, state := range reply.Parameters.States {
			if state.Text != nil {
				fmt.Println(state.Control, *state.Text)
			}
		}
	}
}
