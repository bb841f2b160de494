package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Failure;
import dev.fusebox.breaker.HealthSummary;
import dev.fusebox.protocol.JsonWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON form of breakers. Pure functions.
final class BreakerJson {
    private BreakerJson() {}

    static JsonWriter all(List<BreakerSnapshot> breakers) {
        JsonWriter json = new JsonWriter().beginObject().name("breakers").beginArray();
        breakers.forEach(breaker -> json.raw(one(breaker)));
        return json.endArray().endObject();
    }

    static String one(BreakerSnapshot breaker) {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("name").string(breaker.name().toString());
        json.name("server").string(breaker.name().server());
        if (breaker.name().tool() != null) {
            json.name("tool").string(breaker.name().tool());
        }
        json.name("scope").string(breaker.scope().toString());
        figures(json, breaker);
        json.name("transitions").number(breaker.transition());
        json.name("trips").number(breaker.totals().trips());
        json.name("refusals").number(breaker.totals().refusals());
        json.name("probeDue").bool(breaker.probeDue());
        if (breaker.operatorReason() != null) {
            json.name("operatorReason").string(breaker.operatorReason());
        }
        lastFailure(json, breaker.lastFailure());
        return json.endObject().toString();
    }

    private static void lastFailure(JsonWriter json, @Nullable Failure failure) {
        if (failure != null) {
            json.name("lastFailure").beginObject().name("category").string(failure.category());
            json.name("at").string(failure.at().toString()).endObject();
        }
    }

    static JsonWriter stats(List<BreakerSnapshot> breakers) {
        JsonWriter json = new JsonWriter().beginObject();
        for (BreakerSnapshot breaker : breakers) {
            json.name(breaker.name().toString()).beginObject();
            figures(json, breaker);
            json.endObject();
        }
        return json.endObject();
    }

    private static void figures(JsonWriter json, BreakerSnapshot breaker) {
        json.name("state").string(breaker.state().toString());
        json.name("failureRate").raw(decimal(breaker.failureRate()));
        json.name("failureCount").number(breaker.failureCount());
        json.name("totalCalls").number(breaker.totalCalls());
        json.name("since").string(breaker.since().toString());
        json.name("retryAt").string(text(breaker.retryAt()));
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private static String decimal(double value) {
        return BigDecimal.valueOf(value).toPlainString();
    }

    static JsonWriter health(HealthSummary health) {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("totalBreakers").number(health.totalBreakers());
        json.name("closedBreakers").number(health.closedBreakers());
        json.name("openBreakers").number(health.openBreakers());
        json.name("halfOpenBreakers").number(health.halfOpenBreakers());
        json.name("unhealthyBreakers").beginArray();
        health.unhealthyBreakers().forEach(json::string);
        return json.endArray().endObject();
    }
}
