package dev.fusebox.gateway.task;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// A task whose process is gone, as clients see it. Immutable.
///
/// @param server that had the task
/// @param now when the client is told
record FailedTask(TaskId id, String server, CallFailure failure, Instant now) {
    /// Adds the members of its state.
    ///
    /// @param shown the id that the client knows
    JsonWriter writeTo(JsonWriter state, JsonView shown) {
        return state.name("taskId")
                .raw(shown.json())
                .name("status")
                .string("failed")
                .name("statusMessage")
                .string(failure.message())
                .name("createdAt")
                .string(time(id.createdAt()))
                .name("lastUpdatedAt")
                .string(time(now))
                .name("ttlMs")
                .raw("null")
                .name("error")
                .raw(FailureFrames.taskError(server, failure));
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
