package io.strowger.providers.upstream;

import io.strowger.spi.model.Event;

/**
 * Bounds what is read of a stream that says nothing: all of it is kept until content comes, since
 * another endpoint may be tried. Each frame counts with its bytes and with what it costs to keep.
 */
final class Patience {
  private static final long MOST_BEFORE_CONTENT = 16L << 20;
  private static final int COST_OF_A_FRAME = 256;

  private long taken;
  private boolean content;

  /** A frame was read. */
  void took(int bytes) {
    taken += bytes + COST_OF_A_FRAME;
  }

  /** An event was given. Once one has content, what follows is passed on and not kept. */
  void gave(Event event) {
    content = content || event.isContent();
  }

  /** True when too much came and nothing was said. */
  boolean isOver() {
    return !content && taken > MOST_BEFORE_CONTENT;
  }
}
