/// How a server is: pure rules in [dev.fusebox.gateway.life.Course], which [dev.fusebox.gateway.life.Life] applies to
/// what happens.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.life;
