package io.strowger.providers.translate;

import io.strowger.spi.error.ShortText;
import io.strowger.spi.routing.Loss;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one call loses in translation. Each thing is told once, however often it happens, so that a
 * long conversation makes no long report, and only so many. For one thread.
 */
public final class Losses {
  /** What one report holds; callers decide how many unknown members a request has. */
  private static final int MOST = 100;

  private static final int LONGEST = 100;

  private final Consumer<Loss> told;
  private final Set<Loss> before = new HashSet<>();

  /**
   * @param told gets each loss, the first time it happens
   */
  public Losses(Consumer<Loss> told) {
    this.told = told;
  }

  /** It does not leave. */
  public void dropped(String what, String why) {
    add(new Loss(shortened(what), Loss.Kind.DROPPED, shortened(why)));
  }

  /** It leaves in another form. */
  public void changed(String what, String why) {
    add(new Loss(shortened(what), Loss.Kind.CHANGED, shortened(why)));
  }

  private void add(Loss loss) {
    if (before.size() < MOST && before.add(loss)) {
      told.accept(loss);
      if (before.size() == MOST) {
        told.accept(new Loss("more", loss.kind(), "no more than " + MOST + " things are told"));
      }
    }
  }

  /** Callers name members and types as they like. */
  private static String shortened(String words) {
    return ShortText.withDots(words, LONGEST);
  }
}
