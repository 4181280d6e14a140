package io.strowger.benchmarks.http;

import io.strowger.benchmarks.ChatBodies;
import java.io.IOException;
import java.util.List;

/**
 * One kind of request.
 *
 * @param id for command lines
 * @param name for the table
 * @param bodyName which of {@link ChatBodies}
 * @param model the upstream's name of the model
 * @param streaming the answer is wanted piece by piece
 * @param perRound how many follow each other before it is another party's turn
 */
public record Scenario(
    String id, String name, String bodyName, String model, boolean streaming, int perRound) {
  public static final List<Scenario> ALL =
      List.of(
          new Scenario("1k", "1 KB", "1k", Upstream.SHORT, false, 50),
          new Scenario("32k", "32 KB prompt", "32k", Upstream.SHORT, false, 50),
          new Scenario("stream", "200-chunk stream", "1k", Upstream.LONG, true, 10));

  /**
   * The scenario of this id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Scenario of(String id) {
    return ALL.stream()
        .filter(one -> one.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no scenario " + id));
  }

  /**
   * The body of a request.
   *
   * @param prefix what comes before the upstream's name of the model
   */
  public byte[] body(String prefix) {
    return ChatBodies.named(bodyName, prefix + model, streaming);
  }

  /**
   * What a good answer looks like, told from the first one.
   *
   * @throws IOException when it is none
   */
  public void check(String party, int status, String answer) throws IOException {
    boolean whole = streaming ? answer.contains("data: [DONE]") : answer.contains("A few words.");
    if (status != 200 || !whole) {
      throw new IOException("%s answered %d: %.400s".formatted(party, status, answer));
    }
  }
}
