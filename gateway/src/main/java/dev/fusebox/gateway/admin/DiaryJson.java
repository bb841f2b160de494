package dev.fusebox.gateway.admin;

import dev.fusebox.gateway.diary.Diary;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;

/// Lines of the diary as JSON. Pure functions.
final class DiaryJson {
    private DiaryJson() {}

    static JsonWriter of(List<Diary.Entry> entries) {
        JsonWriter json = new JsonWriter().beginObject().name("lines").beginArray();
        for (Diary.Entry entry : entries) {
            json.beginObject().name("number").number(entry.number());
            json.name("at").string(entry.at().toString());
            if (!entry.writer().equals(Diary.OWN)) {
                json.name("server").string(entry.writer());
            }
            json.name("text").string(entry.text()).endObject();
        }
        return json.endArray().endObject();
    }
}
