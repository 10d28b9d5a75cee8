"""The server of the browser studio: stages that run, viewers that watch and drive them, uploads that become animals.

It knows controllers only by Command, State and capabilities, so that a method that is registered later is there by
registration alone. What it says to its page stands in docs/studio_wire.md.
"""
