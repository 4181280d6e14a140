package io.strowger.benchmarks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An answer as upstreams stream it, always the same: a chunk with the role, {@link #CHUNKS} chunks
 * of about 300 bytes, one that ends the answer, one with the usage, and {@code [DONE]}.
 */
final class ChatStreams {
  static final int CHUNKS = 1_000;

  private static final String HEAD =
      """
      {"id":"chatcmpl-Cw5vJb0Rk3mNqTzX8yLdPfGhSaEu7","object":"chat.completion.chunk",\
      "created":1795262400,"model":"large-2026-05-01","service_tier":"default",\
      "system_fingerprint":"fp_44709d6fcb",\
      """;
  private static final String USAGE =
      """
      "usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,\
      "prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0}}}\
      """;

  private final List<byte[]> chunks;

  private ChatStreams(List<byte[]> chunks) {
    this.chunks = chunks;
  }

  /** Returns a stream by its name: {@code text}, {@code padded} or {@code usage}. */
  static ChatStreams named(String name) {
    return switch (name) {
      case "text" -> texts(false);
      case "padded" -> texts(true);
      case "usage" -> usage();
      default -> throw new IllegalArgumentException("no chunks are called " + name);
    };
  }

  /**
   * Returns a stream whose chunks each have a few letters of the text.
   *
   * @param padded whether each chunk has different padding that hides the length of its text, as
   *     some upstreams send it; otherwise chunks differ in their text only
   */
  private static ChatStreams texts(boolean padded) {
    var random = new SplittableRandom(19);
    var chunks = new ArrayList<byte[]>();
    for (int i = 0; i < CHUNKS; i++) {
      String word = Long.toString(random.nextLong(1L << 30), Character.MAX_RADIX);
      String padding = Long.toString(random.nextLong(), Character.MAX_RADIX);
      chunks.add(
          choice(
              "{\"content\":\" " + word + "\"}", "null", padded ? padding : "as in every chunk"));
    }
    return new ChatStreams(chunks);
  }

  /** Returns a stream whose chunks each report the usage so far, as some upstreams do. */
  private static ChatStreams usage() {
    var chunks = new ArrayList<byte[]>();
    for (int i = 0; i < CHUNKS; i++) {
      chunks.add(bytes(HEAD + "\"choices\":[]," + USAGE.formatted(1200, i, 1200 + i)));
    }
    return new ChatStreams(chunks);
  }

  private static byte[] choice(String delta, String reason, String padding) {
    return bytes(
        HEAD
            + "\"choices\":[{\"index\":0,\"delta\":"
            + delta
            + ",\"logprobs\":null,\"finish_reason\":"
            + reason
            + "}],\"obfuscation\":\""
            + padding
            + "\"}");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the JSON of each of the {@link #CHUNKS} chunks. */
  List<byte[]> chunks() {
    return chunks;
  }

  /** Returns the bytes of the whole stream. */
  byte[] stream() {
    var out = new ByteArrayOutputStream();
    writeEvent(choice("{\"role\":\"assistant\",\"content\":\"\"}", "null", ""), out);
    chunks.forEach(chunk -> writeEvent(chunk, out));
    writeEvent(choice("{}", "\"stop\"", ""), out);
    writeEvent(bytes(HEAD + "\"choices\":[]," + USAGE.formatted(1200, CHUNKS, 1200 + CHUNKS)), out);
    writeEvent(bytes("[DONE]"), out);
    return out.toByteArray();
  }

  private static void writeEvent(byte[] data, ByteArrayOutputStream out) {
    out.writeBytes(bytes("data: "));
    out.writeBytes(data);
    out.writeBytes(bytes("\n\n"));
  }
}
