package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;

/// Reads the messages of a stream of events; events without a message are left out.
final class Events {
    private static final String DATA = "data: ";

    private Events() {}

    /// All of a stream that has ended.
    static List<String> of(String stream) {
        var data = new ArrayList<String>();
        stream.lines().filter(Events::isMessage).forEach(line -> data.add(line.substring(DATA.length())));
        return data;
    }

    /// The next one of a stream that goes on.
    static JsonView next(Lines lines) throws InterruptedException {
        String line = lines.next();
        while (!isMessage(line)) {
            line = lines.next();
        }
        return JsonView.of(line.substring(DATA.length()));
    }

    private static boolean isMessage(String line) {
        return line.startsWith(DATA) && line.length() > DATA.length();
    }
}
