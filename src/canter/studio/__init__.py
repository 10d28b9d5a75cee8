"""The server of the browser studio: running stages, viewers that watch and drive them, animals built from uploads.

It knows controllers only by Command, State and Capabilities, so that a newly registered controller needs no change
here. docs/studio_wire.md is its protocol.
"""
