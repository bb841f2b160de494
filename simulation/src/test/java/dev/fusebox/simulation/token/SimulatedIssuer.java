package dev.fusebox.simulation.token;

import dev.fusebox.oauth.token.RefreshAnswer;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.Tokens;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// An authorization server that rotates refresh tokens and revokes the whole login when one is presented twice.
/// For the threads of one simulation.
final class SimulatedIssuer {
    static final Duration LIFETIME = Duration.ofSeconds(2);

    private static final RefreshAnswer NOTHING = failed(RefreshFailure.Kind.NO_ANSWER, "the client is gone");

    private final Simulation sim;
    private final Faults faults;
    private final Map<String, List<Presentation>> presentations = new LinkedHashMap<>();
    private final Map<String, Instant> accessTokens = new HashMap<>();
    private String valid = "refresh-0";
    private boolean isRevoked;
    private int issued;
    private int inFlight;
    private int mostInFlight;

    /// How often something goes wrong, in percent.
    record Faults(int refused, int slow, int reset, int hanging) {
        static final Faults NONE = new Faults(0, 0, 0, 0);
    }

    /// What a client learned of a presentation of a refresh token.
    enum Presentation {
        RENEWED,
        REFUSED,
        NO_ANSWER,
        REUSED
    }

    SimulatedIssuer(Simulation sim, Faults faults) {
        this.sim = sim;
        this.faults = faults;
    }

    Tokens first() {
        return issue();
    }

    private Tokens issue() {
        Instant now = sim.platform().wallClock().instant();
        String access = "access-" + issued;
        valid = "refresh-" + issued;
        issued++;
        accessTokens.put(access, now.plus(LIFETIME));
        return new Tokens(access, valid, now, now.plus(LIFETIME), Set.of());
    }

    /// Whether a resource server accepts an access token now.
    boolean accepts(String access) {
        Instant expiresAt = accessTokens.get(access);
        return !isRevoked
                && expiresAt != null
                && sim.platform().wallClock().instant().isBefore(expiresAt);
    }

    /// One request.
    ///
    /// @param isGone whether the client's process has ended
    RefreshAnswer redeem(String refreshToken, BooleanSupplier isGone) throws InterruptedException {
        List<Presentation> all = presentations.computeIfAbsent(refreshToken, token -> new ArrayList<>());
        int place = all.size();
        all.add(Presentation.NO_ANSWER);
        inFlight++;
        mostInFlight = Math.max(mostInFlight, inFlight);
        try {
            sim.platform().pause(Duration.ofMillis(sim.random().nextInt(1, 40)));
            RefreshAnswer answer = isGone.getAsBoolean() ? NOTHING : answer(refreshToken);
            sim.platform().pause(Duration.ofMillis(sim.random().nextInt(1, 40)));
            if (isGone.getAsBoolean()) {
                return NOTHING;
            }
            all.set(place, learned(answer));
            return answer;
        } finally {
            inFlight--;
        }
    }

    private RefreshAnswer answer(String refreshToken) throws InterruptedException {
        int draw = sim.random().nextInt(100);
        if (draw < faults.refused()) {
            return failed(RefreshFailure.Kind.REFUSED_FOR_NOW, "HTTP 503");
        }
        if (draw < faults.refused() + faults.hanging()) {
            sim.platform().pause(Duration.ofSeconds(20));
            return failed(RefreshFailure.Kind.NO_ANSWER, "timed out");
        }
        if (draw < faults.refused() + faults.hanging() + faults.slow()) {
            sim.platform().pause(Duration.ofSeconds(15));
        }
        if (isRevoked || !refreshToken.equals(valid)) {
            isRevoked = true;
            return new RefreshAnswer.InvalidGrant();
        }
        Tokens next = issue();
        return sim.random().nextInt(100) < faults.reset()
                ? failed(RefreshFailure.Kind.NO_ANSWER, "connection reset")
                : new RefreshAnswer.Renewed(next);
    }

    private static RefreshAnswer failed(RefreshFailure.Kind kind, String message) {
        return new RefreshAnswer.Failed(new RefreshFailure(kind, message), null);
    }

    private static Presentation learned(RefreshAnswer answer) {
        return switch (answer) {
            case RefreshAnswer.Renewed _ -> Presentation.RENEWED;
            case RefreshAnswer.InvalidGrant _ -> Presentation.REUSED;
            case RefreshAnswer.ClientUnknown _, RefreshAnswer.ClientMissing _ -> Presentation.REFUSED;
            case RefreshAnswer.Failed(RefreshFailure failure, Duration _) ->
                failure.kind() == RefreshFailure.Kind.NO_ANSWER ? Presentation.NO_ANSWER : Presentation.REFUSED;
        };
    }

    Map<String, List<Presentation>> presentations() {
        return presentations;
    }

    int mostInFlight() {
        return mostInFlight;
    }
}
