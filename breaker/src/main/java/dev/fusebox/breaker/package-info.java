/**
 * A circuit breaker, and what goes with it.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>the breaker: {@link dev.fusebox.breaker.CircuitBreaker}, {@link dev.fusebox.breaker.State},
 *       {@link dev.fusebox.breaker.Permit}, {@link dev.fusebox.breaker.Rejection}; inside of it one class for each
 *       state, {@code ClosedPhase}, {@code OpenPhase}, {@code HalfOpenPhase}, {@code ForcedOpenPhase}, {@code
 * DisabledPhase}
 *   <li>its settings: {@link dev.fusebox.breaker.BreakerPolicy}, {@link dev.fusebox.breaker.TripRule},
 *       {@link dev.fusebox.breaker.Cooldown}, {@link dev.fusebox.breaker.HalfOpen}, {@link dev.fusebox.breaker.Preset}
 *   <li>what counts as a failure: {@link dev.fusebox.breaker.Judge}, {@link dev.fusebox.breaker.Verdict}
 *   <li>what it shows: {@link dev.fusebox.breaker.BreakerSnapshot}, {@link dev.fusebox.breaker.BreakerEvent}
 *   <li>many of them: {@link dev.fusebox.breaker.Breakers}, {@link dev.fusebox.breaker.HealthSummary}
 *   <li>companions: {@link dev.fusebox.breaker.Bulkhead}, {@link dev.fusebox.breaker.RetryBudget},
 *       {@link dev.fusebox.breaker.Backoff}, {@link dev.fusebox.breaker.RestartBudget}
 *   <li>the edge: {@link dev.fusebox.breaker.Surroundings}
 * </ul>
 */
package dev.fusebox.breaker;
