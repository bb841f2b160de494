package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Fault;

/// A server that is configured and cannot be called, and why. Immutable.
public record Absent(String id, Fault why) {}
