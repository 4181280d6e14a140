package io.strowger.core.flow;

import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.meter.Bill;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * An answer that keeps what its request collected until it is closed. The last event is too early
 * for giving it back: from there on the answer is still written, as slowly as its client reads.
 */
record ReleasingAnswer(Reply.Begun answer, OutputBudget.Share collected) implements Reply.Begun {
  @Override
  public EventStream events() {
    return answer.events();
  }

  @Override
  public @Nullable Bill bill() {
    return answer.bill();
  }

  @Override
  public void close() {
    try {
      answer.close();
    } finally {
      collected.close();
    }
  }
}
