package io.strowger.benchmarks.http;

import io.strowger.benchmarks.ChatBodies;
import java.io.IOException;
import java.util.List;

/**
 * One kind of request.
 *
 * @param id the name on command lines
 * @param name the name in the table
 * @param bodyName the name of the body in {@link ChatBodies}
 * @param model the upstream's name of the model
 * @param streaming whether the answer is streamed
 * @param perRound the number of requests before another contender's turn
 */
public record Scenario(
    String id, String name, String bodyName, String model, boolean streaming, int perRound) {
  public static final List<Scenario> ALL =
      List.of(
          new Scenario("1k", "1 KB", "1k", Upstream.SHORT, false, 50),
          new Scenario("32k", "32 KB prompt", "32k", Upstream.SHORT, false, 50),
          new Scenario("stream", "200-chunk stream", "1k", Upstream.LONG, true, 10));

  /**
   * Returns a scenario by its id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Scenario of(String id) {
    return ALL.stream()
        .filter(scenario -> scenario.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown scenario " + id));
  }

  /**
   * Returns the body of a request.
   *
   * @param prefix the part of the model id before the upstream's name of the model
   */
  public byte[] body(String prefix) {
    return ChatBodies.named(bodyName, prefix + model, streaming);
  }

  /**
   * Checks the status and the body of an answer.
   *
   * @throws IOException when the answer is wrong
   */
  public void check(String contender, int status, String answer) throws IOException {
    boolean isComplete =
        streaming ? answer.contains("data: [DONE]") : answer.contains("A few words.");
    if (status != 200 || !isComplete) {
      throw new IOException("%s answered %d: %.400s".formatted(contender, status, answer));
    }
  }
}
