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
	address := strings.TrimPrefix(os.Getenv("STEPPERD_ADDRESS"), "unix:")
	if address == "" {
		address = "/run/stepperd/org.stepperd"
	}
	connection, err := net.Dial("unix", address)
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
