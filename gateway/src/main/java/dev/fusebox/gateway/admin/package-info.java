/// Admin API of a running gateway: status, metrics, events, logs and control, over HTTP beside the protocol and
/// over a Unix socket of its owner.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.admin;
