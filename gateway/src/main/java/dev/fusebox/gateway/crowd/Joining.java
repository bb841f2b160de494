package dev.fusebox.gateway.crowd;

import dev.fusebox.client.lane.Lane;
import dev.fusebox.gateway.life.LifeRules;
import dev.fusebox.gateway.served.Served;

/// A server that joins the others. Immutable but for the lane.
///
/// @param served how to reach it
/// @param lane the only way to it
/// @param rules of its calls
/// @param life how it is kept alive
public record Joining(Served served, Lane lane, MemberRules rules, LifeRules life) {}
