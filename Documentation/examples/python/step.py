"""Read and move a control with the varlink package: pip install varlink==31.0.0"""

import os

import varlink

address = os.environ.get("STEPPERD_ADDRESS", "/run/stepperd/org.stepperd").removeprefix("unix:")
with varlink.Client.new_with_address("unix:" + address) as client:
    with client.open("org.stepperd.control") as controls:
        print(controls.Get("volume")["state"]["text"])
        try:
            print(controls.Step("volume", 3, None)["state"]["text"])
        except varlink.VarlinkError as error:
            print(error.error(), error.parameters())
