package dev.fusebox.simulation.pipeline;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.List;

/// A call from the server's side.
///
/// @param tag of the call, unique in a simulation
/// @param tool the called tool
record ServerCall(int tag, String tool) {
    /// Texts of failed tools. None of them is about the connection.
    static final List<String> ALARMING =
            List.of("401 Unauthorized", "ECONNREFUSED", "timed out", "ENOENT: no such file");

    private static final List<Integer> CODES = List.of(-32603, -32000, 401, 500);

    static ServerCall of(Message.Request request) {
        JsonView params = request.frame().member("params");
        JsonView tag = params == null ? null : params.path("arguments", "tag");
        String tool = params == null ? null : params.string("name");
        if (tag == null || tool == null) {
            throw new IllegalArgumentException("not a call of the simulation: " + request.frame());
        }
        return new ServerCall(Integer.parseInt(tag.json()), tool);
    }

    /// The result of executing it.
    String result(String server, boolean isError) {
        String text = isError ? ALARMING.get(Math.floorMod(tag, ALARMING.size())) : "done";
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}],\"isError\":" + isError + ",\"tag\":" + tag
                + ",\"server\":\"" + server + "\"}";
    }

    /// The code of a protocol error as response.
    int errorCode() {
        return CODES.get(Math.floorMod(tag, CODES.size()));
    }
}
