package io.strowger.benchmarks.http;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;

/**
 * The simulated upstream that every measured program calls. It answers at once, so that the
 * measured time is the program's overhead.
 */
public final class Upstream {
  static final int CHUNKS = 200;

  /** The model that answers 75 words. */
  public static final String SHORT = "short";

  /** The model that streams {@link #CHUNKS} chunks of one word each. */
  public static final String LONG = "long";

  private Upstream() {}

  public static SimulatedUpstream start() {
    return SimulatedUpstream.start(new SystemAmbient())
        .script(SHORT, Script.builder().text("A few words. ".repeat(25)).tokens(250, 75).build())
        .script(
            LONG,
            Script.builder()
                .text("word ".repeat(CHUNKS))
                .chunks(CHUNKS)
                .tokens(250, CHUNKS)
                .build());
  }

  public static void main(String[] args) {
    ChildProcess.announceAndWait(start().baseUri().toString());
  }
}
