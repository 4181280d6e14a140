package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.UpstreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One call that a new thread opens and reads to its end. */
final class Reading {
  private static final Duration PROMPTLY = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestAmbient ambient;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private volatile @Nullable Thread thread;
  private volatile @Nullable AssertingEventStream stream;
  private volatile @Nullable UpstreamException thrown;
  private volatile @Nullable Throwable broken;
  private volatile boolean ended;

  private Reading(TestAmbient ambient) {
    this.ambient = ambient;
  }

  static Reading start(TestAmbient ambient, ChatProvider provider, Call call) {
    var reading = new Reading(ambient);
    reading.thread = ambient.start("reader", () -> reading.read(provider, call));
    return reading;
  }

  private void read(ChatProvider provider, Call call) {
    try (var opened = new AssertingEventStream(call.endpoint().id(), provider.open(call))) {
      stream = opened;
      for (Event event = opened.next(); event != null; event = opened.next()) {
        events.add(event);
      }
    } catch (UpstreamException failure) {
      thrown = failure;
    } catch (Throwable bug) {
      broken = bug;
    } finally {
      ended = true;
    }
  }

  /** Waits until the answer has exactly this text so far. */
  void awaitText(String expected) {
    await(PATIENCE, () -> ended || text().equals(expected));
    assertThat(text()).isEqualTo(expected);
  }

  /** Waits until the reader's thread is blocked. */
  void awaitBlocked() {
    await(
        PROMPTLY,
        () -> {
          Thread reader = thread;
          return ended || reader != null && isWaiting(reader.getState());
        });
  }

  private static boolean isWaiting(Thread.State state) {
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  void closeStream() {
    AssertingEventStream opened = stream;
    assertThat(opened).as("the stream").isNotNull();
    if (opened != null) {
      opened.close();
    }
  }

  /** Waits until the answer was read to its end. */
  void awaitEnd() {
    awaitEnd(PATIENCE);
  }

  /** Waits until the reader has ended, after something that must wake it. */
  void awaitWoken() {
    awaitEnd(PROMPTLY);
  }

  private void awaitEnd(Duration atMost) {
    if (!await(atMost, () -> ended)) {
      fail("the reader is not through after %s; it has %s", atMost, events);
    }
    Throwable bug = broken;
    if (bug != null) {
      throw new AssertionError("neither an answer nor a failure: " + bug, bug);
    }
  }

  private boolean await(Duration atMost, BooleanSupplier done) {
    long from = ambient.nanoTime();
    while (!done.getAsBoolean()) {
      if (ambient.nanoTime() - from > atMost.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(200_000);
    }
    return true;
  }

  List<Event> events() {
    return events;
  }

  @Nullable UpstreamException thrown() {
    return thrown;
  }

  /** Returns all text of the answer so far, from deltas or from a complete answer. */
  String text() {
    var text = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.TextDelta delta) {
        text.append(delta.text().text());
      } else if (event instanceof Event.CompleteAnswer whole) {
        for (Part part : whole.answer().parts()) {
          text.append(part instanceof Part.Text said ? said.text().text() : "");
        }
      }
    }
    return text.toString();
  }

  /** Returns how the call failed, by exception or by event; null when it did not fail. */
  @Nullable FailureKind failureKind() {
    UpstreamException refused = thrown;
    if (refused != null) {
      return refused.kind();
    }
    return !events.isEmpty() && events.getLast() instanceof Event.Failed failed
        ? failed.kind()
        : null;
  }

  /** Returns the failure of the call; throws an {@link AssertionError} when it did not fail. */
  Failure failure() {
    UpstreamException refused = thrown;
    if (refused != null) {
      return refused.failure();
    }
    if (!events.isEmpty()
        && events.getLast() instanceof Event.Failed failed
        && failed.cause() != null) {
      return failed.cause();
    }
    throw new AssertionError("no failure, but " + events);
  }
}
