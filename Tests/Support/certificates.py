"""Authorities and certificates for tests, made with openssl."""

import os
import subprocess
import time


def openssl(folder, *arguments):
    """Runs openssl in a folder."""
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make_certificates(folder, further=()):
    """An authority, a broker's certificate for localhost, 127.0.0.1 and further addresses, a client's, and one of another
    authority."""
    addresses = "".join(f",IP:{address}" for address in ("127.0.0.1", *further))
    for name in ("authority", "stranger"):
        openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")
    make_certificate(folder, "broker", f"DNS:localhost{addresses}")
    make_certificate(folder, "client", "DNS:kiosk")


def make_certificate(folder, name, names):
    """A new key, and a certificate of the authority for it."""
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
            "-keyout", f"{name}.key", "-out", f"{name}.csr")
    with open(f"{folder}/{name}.ext", "w", encoding="ascii") as file:
        file.write(f"subjectAltName={names}")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.crt")


def renew_certificate(folder, name, begin, end):
    """Another certificate for the key of a name, valid from and to these seconds since 1970."""
    with open(f"{folder}/ca.cnf", "w", encoding="ascii") as file:
        file.write("[ca]\ndefault_ca = one\n[one]\ndatabase = ca.db\nserial = ca.serial\nnew_certs_dir = .\ndefault_md = sha256\n"
                   "unique_subject = no\npolicy = any\n[any]\ncommonName = supplied\n")
    with open(f"{folder}/ca.db", "a", encoding="ascii"):
        pass
    times = [time.strftime("%Y%m%d%H%M%SZ", time.gmtime(seconds)) for seconds in (begin, end)]
    openssl(folder, "ca", "-batch", "-config", "ca.cnf", "-cert", "authority.crt", "-keyfile", "authority.key", "-create_serial", "-rand_serial",
            "-notext", "-extfile", f"{name}.ext", "-startdate", times[0], "-enddate", times[1], "-in", f"{name}.csr", "-out", f"{name}.new")
    os.rename(f"{folder}/{name}.new", f"{folder}/{name}.crt")
