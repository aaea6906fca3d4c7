"""The connections to the running box: programs, phones and computer players.

The box knows them as `RemoteClients`. Their lines are defined in docs/protocol.md.
"""
