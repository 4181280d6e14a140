package io.strowger.providers.translate;

import io.strowger.spi.routing.Loss;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one call loses in translation. Each thing is told once, however often it happens, so that a
 * long conversation makes no long report. For one thread.
 */
public final class Losses {
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
    add(new Loss(what, Loss.Kind.DROPPED, why));
  }

  /** It leaves in another form. */
  public void changed(String what, String why) {
    add(new Loss(what, Loss.Kind.CHANGED, why));
  }

  private void add(Loss loss) {
    if (before.add(loss)) {
      told.accept(loss);
    }
  }
}
