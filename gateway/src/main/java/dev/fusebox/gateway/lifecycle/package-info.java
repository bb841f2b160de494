/// How a server is: pure rules in [dev.fusebox.gateway.lifecycle.LifecycleRules], which
/// [dev.fusebox.gateway.lifecycle.ServerLifecycle] applies to what happens.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.lifecycle;
