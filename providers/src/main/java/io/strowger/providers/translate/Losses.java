package io.strowger.providers.translate;

import io.strowger.spi.error.ShortText;
import io.strowger.spi.routing.Loss;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports what one call loses in translation: each loss once, however often it occurs, and only a
 * bounded number, so that long conversations do not make long reports. Not thread-safe.
 */
public final class Losses {
  /** The limit of losses reported per call, since a request may have many unknown members. */
  private static final int MAX_LOSSES = 100;

  private static final int MAX_LENGTH = 100;

  private final Consumer<Loss> listener;
  private final Set<Loss> reported = new HashSet<>();

  /**
   * @param listener receives each loss when it first occurs
   */
  public Losses(Consumer<Loss> listener) {
    this.listener = listener;
  }

  /** Reports that something is left out. */
  public void dropped(String what, String why) {
    add(new Loss(shorten(what), Loss.Kind.DROPPED, shorten(why)));
  }

  /** Reports that something is changed. */
  public void changed(String what, String why) {
    add(new Loss(shorten(what), Loss.Kind.CHANGED, shorten(why)));
  }

  private void add(Loss loss) {
    if (reported.size() < MAX_LOSSES && reported.add(loss)) {
      listener.accept(loss);
      if (reported.size() == MAX_LOSSES) {
        listener.accept(
            new Loss("more", loss.kind(), "only the first " + MAX_LOSSES + " are reported"));
      }
    }
  }

  /** Shortens a text, since it may contain names that callers choose. */
  private static String shorten(String text) {
    return ShortText.withEllipsis(text, MAX_LENGTH);
  }
}
