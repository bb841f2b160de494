package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;

/// Makes the content of answers: JSON as text. Pure functions.
final class ToolContent {
    /// A picture of one red dot.
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    /// A sound without a sample.
    static final String WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

    private ToolContent() {}

    static String quoted(String text) {
        return JsonWriter.quoted(text);
    }

    static String text(String text) {
        return "{\"type\":\"text\",\"text\":" + quoted(text) + "}";
    }

    static String image() {
        return "{\"type\":\"image\",\"data\":\"" + PNG + "\",\"mimeType\":\"image/png\"}";
    }

    static String audio() {
        return "{\"type\":\"audio\",\"data\":\"" + WAV + "\",\"mimeType\":\"audio/wav\"}";
    }

    static String resource(String uri, String mimeType, String text) {
        return "{\"type\":\"resource\",\"resource\":" + textContents(uri, mimeType, text) + "}";
    }

    static String textContents(String uri, String mimeType, String text) {
        return "{\"uri\":" + quoted(uri) + ",\"mimeType\":" + quoted(mimeType) + ",\"text\":" + quoted(text) + "}";
    }

    static String blobContents(String uri, String mimeType, String blob) {
        return "{\"uri\":" + quoted(uri) + ",\"mimeType\":" + quoted(mimeType) + ",\"blob\":" + quoted(blob) + "}";
    }

    /// The result of a tool.
    static String result(String... items) {
        return "{\"content\":" + array(List.of(items)) + "}";
    }

    /// The result of a tool that failed.
    static String failure(String text) {
        return "{\"content\":[" + text(text) + "],\"isError\":true}";
    }

    /// A notification of something that happened in a call.
    static byte[] logMessage(String level, String text) {
        return JsonRpcFrames.notification(
                "notifications/message",
                "{\"level\":\"" + level + "\",\"logger\":\"fixture\",\"data\":" + quoted(text) + "}");
    }

    static String array(List<String> items) {
        return "[" + String.join(",", items) + "]";
    }
}
