package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.model.Event;
import java.io.IOException;

/**
 * Counts what the frames of a stream take, with their bytes and with the values in them. All that
 * comes before the first content is kept until then, since another endpoint may be tried. From then
 * on events are passed on, and whoever collects them has a budget of its own; but a frame is parsed
 * whole, and a dialect keeps one or two, so the largest one counts until the end.
 */
final class FrameMemory {
  private static final long MOST_BEFORE_CONTENT = 16L << 20;
  private static final int COST_OF_A_FRAME = 256;

  private final AnswerMemory.Share memory;
  private long taken;
  private long largest; // since content came
  private boolean content;

  FrameMemory(AnswerMemory.Share memory) {
    this.memory = memory;
  }

  /**
   * A frame was read and will be parsed.
   *
   * @throws IOException when there is no memory for it
   */
  void read(byte[] document) throws IOException {
    if (!content) {
      long cost =
          COST_OF_A_FRAME + document.length + BoundedBodyReader.values(document, document.length);
      taken += cost;
      memory.take(cost);
    } else if (document.length > BoundedBodyReader.SMALL) {
      long cost = document.length + BoundedBodyReader.values(document, document.length);
      memory.take(Math.max(0, cost - largest));
      largest = Math.max(largest, cost);
    }
  }

  /** An event is given. */
  void gave(Event event) {
    content |= event.isContent();
  }

  /** True when too much came and nothing was said. */
  boolean isOver() {
    return !content && taken > MOST_BEFORE_CONTENT;
  }
}
