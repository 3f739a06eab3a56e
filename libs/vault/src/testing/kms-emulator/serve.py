"""Serves the KMS of LocalStack alone on 127.0.0.1, and prints its address. LocalStack's own start needs 190 MB of packages."""

import functools
import logging

from cryptography.hazmat.primitives.asymmetric import rsa
from localstack.aws.api import RequestContext
from localstack.aws.skeleton import create_skeleton
from localstack.aws.spec import load_service
from localstack.http import Request
from localstack.services.kms.provider import KmsProvider
from werkzeug.datastructures import EnvironHeaders
from werkzeug.serving import WSGIRequestHandler, make_server

ACCOUNT = "000000000000"
REGION = "eu-west-1"

# A large pair for each import of material would be nearly all that a test costs.
make_pair = rsa.generate_private_key
rsa.generate_private_key = functools.cache(lambda public_exponent, key_size: make_pair(public_exponent, 2048))
kms = load_service("kms")
skeleton = create_skeleton(kms, KmsProvider())


def answer(environ, start_response):
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    context = RequestContext(Request(environ["REQUEST_METHOD"], "/", headers=EnvironHeaders(environ), body=body))
    context.service, context.protocol = kms, kms.protocol
    context.account_id, context.region = ACCOUNT, REGION
    return skeleton.invoke(context)(environ, start_response)


logging.disable(logging.CRITICAL)
WSGIRequestHandler.protocol_version = "HTTP/1.1"
server = make_server("127.0.0.1", 0, answer, threaded=True)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
