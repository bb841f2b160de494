/// The lifecycle of a server, its status, restarts and recovery: pure rules in
/// [dev.fusebox.gateway.lifecycle.LifecycleRules], which [dev.fusebox.gateway.lifecycle.ServerLifecycle] applies
/// to events.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.lifecycle;
