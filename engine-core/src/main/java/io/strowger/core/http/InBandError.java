package io.strowger.core.http;

import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A refusal in the form of an answer whose first event is the failure. */
record InBandError(EventStream events) implements Reply.MeteredAnswer {
  static Reply.Answered of(Reply.Refused refusal) {
    EventStream events = EventStream.of(List.of(new Event.Failed(refusal.error(), null)));
    DeliveryState deliveryState = refusal.delivery();
    return new Reply.Answered(
        refusal.id(), refusal.createdSeconds(), new InBandError(events), () -> deliveryState);
  }

  @Override
  public @Nullable Bill bill() {
    return null;
  }

  @Override
  public @Nullable Event next() {
    return events.next();
  }

  @Override
  public boolean ready() {
    return events.ready();
  }

  @Override
  public void close() {
    events.close();
  }
}
