package io.strowger.benchmarks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A text answer as upstreams of each dialect stream it, always the same: {@link ChatStreams#CHUNKS}
 * chunks of about 300 bytes between the frames that begin and end the answer.
 *
 * @param chunks the JSON of each chunk that has text
 * @param stream the whole stream, as it is on the wire
 */
record TextStreams(List<byte[]> chunks, byte[] stream) {
  private static final String ITEM = "msg_68f2a3c1d4e5b6a7980f1e2d3c4b5a69788796a5b4c3d2e1";

  /** Returns the answer of an upstream of a dialect. */
  static TextStreams of(Api api) {
    return switch (api) {
      case CHAT -> {
        ChatStreams chat = ChatStreams.named("text");
        yield new TextStreams(chat.chunks(), chat.stream());
      }
      case MESSAGES -> new Writer().messages();
      case RESPONSES -> new Writer().responses();
      case GEMINI -> new Writer().gemini();
    };
  }

  /** Writes one stream. */
  private static final class Writer {
    private final SplittableRandom random = new SplittableRandom(19);
    private final List<byte[]> chunks = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();
    private int sequenceNumber;

    /**
     * Writes the messages dialect, whose frames have few other members, so the text pieces are
     * long.
     */
    TextStreams messages() {
      writeEvent(
          "message_start",
          """
          {"type":"message_start","message":{"id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message",\
          "role":"assistant","model":"large-2026-05-01","content":[],"stop_reason":null,\
          "stop_sequence":null,"usage":{"input_tokens":1200,"output_tokens":1}}}\
          """);
      writeEvent(
          "content_block_start",
          """
          {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\
          """);
      for (int i = 0; i < ChatStreams.CHUNKS; i++) {
        writeChunk(
            "content_block_delta",
            """
            {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}\
            """
                .formatted(piece(210)));
      }
      writeEvent("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}");
      writeEvent(
          "message_delta",
          """
          {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},\
          "usage":{"output_tokens":1000}}\
          """);
      writeEvent("message_stop", "{\"type\":\"message_stop\"}");
      return new TextStreams(chunks, out.toByteArray());
    }

    /**
     * Writes the responses dialect, whose frames have a number and padding that hides the text's
     * length.
     */
    TextStreams responses() {
      writeNumberedEvent("created", "\"response\":" + response("in_progress", ""));
      writeNumberedEvent(
          "output_item.added", "\"output_index\":0,\"item\":" + item("in_progress", ""));
      writeNumberedEvent("content_part.added", itemPosition() + ",\"part\":" + part(""));
      for (int i = 0; i < ChatStreams.CHUNKS; i++) {
        String padding = "%016x%016x%016x".formatted(i, random.nextLong(), random.nextLong());
        writeChunk(
            "response.output_text.delta",
            frame(
                "output_text.delta",
                "%s,\"delta\":\"%s\",\"logprobs\":[],\"obfuscation\":\"%s\""
                    .formatted(itemPosition(), piece(8), padding)));
      }
      String fullText = text.toString();
      writeNumberedEvent(
          "output_text.done", itemPosition() + ",\"text\":\"" + fullText + "\",\"logprobs\":[]");
      writeNumberedEvent("content_part.done", itemPosition() + ",\"part\":" + part(fullText));
      writeNumberedEvent(
          "output_item.done", "\"output_index\":0,\"item\":" + item("completed", fullText));
      writeNumberedEvent(
          "completed", "\"response\":" + response("completed", item("completed", fullText)));
      return new TextStreams(chunks, out.toByteArray());
    }

    private static String itemPosition() {
      return "\"item_id\":\"" + ITEM + "\",\"output_index\":0,\"content_index\":0";
    }

    private static String part(String content) {
      return "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":\""
          + content
          + "\"}";
    }

    private static String item(String status, String content) {
      return "{\"id\":\"%s\",\"type\":\"message\",\"status\":\"%s\",\"content\":[%s],%s}"
          .formatted(
              ITEM, status, content.isEmpty() ? "" : part(content), "\"role\":\"assistant\"");
    }

    private static String response(String status, String output) {
      return """
      {"id":"resp_68f2a3c1","object":"response","created_at":1795262400,"status":"%s",\
      "model":"large-2026-05-01","output":[%s],"usage":{"input_tokens":1200,"output_tokens":1000,\
      "total_tokens":2200}}\
      """
          .formatted(status, output);
    }

    /** Writes the gemini dialect, whose frames all repeat the usage. */
    TextStreams gemini() {
      for (int i = 0; i < ChatStreams.CHUNKS; i++) {
        writeChunk(null, candidate(piece(8), "", i));
      }
      writeEvent(null, candidate("", "\"finishReason\":\"STOP\",", ChatStreams.CHUNKS));
      return new TextStreams(chunks, out.toByteArray());
    }

    private static String candidate(String content, String finish, int tokens) {
      return """
      {"candidates":[{"content":{"parts":[{"text":"%s"}],"role":"model"},%s"index":0}],\
      "usageMetadata":{"promptTokenCount":1200,"candidatesTokenCount":%d,"totalTokenCount":%d,\
      "promptTokensDetails":[{"modality":"TEXT","tokenCount":1200}]},\
      "modelVersion":"large-2026-05-01","responseId":"Cw5vJb0Rk3mNqTzX8yLdPf"}\
      """
          .formatted(content, finish, tokens, 1200 + tokens);
    }

    /** Returns the next few words: at least this many characters, beginning with a space. */
    private String piece(int letters) {
      var piece = new StringBuilder();
      while (piece.length() < letters) {
        piece.append(' ').append(Long.toString(random.nextLong(1L << 40), Character.MAX_RADIX));
      }
      text.append(piece);
      return piece.toString();
    }

    private void writeNumberedEvent(String type, String members) {
      writeEvent("response." + type, frame(type, members));
    }

    private String frame(String type, String members) {
      return String.format(
          Locale.ROOT,
          "{\"type\":\"response.%s\",\"sequence_number\":%d,%s}",
          type,
          sequenceNumber++,
          members);
    }

    private void writeChunk(@Nullable String name, String data) {
      chunks.add(bytes(data));
      writeEvent(name, data);
    }

    private void writeEvent(@Nullable String name, String data) {
      if (name != null) {
        out.writeBytes(bytes("event: " + name + "\n"));
      }
      out.writeBytes(bytes("data: " + data + "\n\n"));
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
