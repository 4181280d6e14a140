package io.strowger.tck;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A stream that plays scripted steps. A pause sleeps on a thread of its own, so that a cancellation
 * can end it.
 */
final class ScriptedStream implements EventStream {
  private final Ambient ambient;
  private final Cancellation cancellation;
  private final Cancellation.Registration registration;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Step> steps;
  private Cancellation.@Nullable Cause closeCause; // set by the provider of the stream
  private boolean closed;
  private boolean ended;

  ScriptedStream(Ambient ambient, Cancellation cancellation, List<Step> steps) {
    this.ambient = ambient;
    this.cancellation = cancellation;
    this.steps = new ArrayDeque<>(steps);
    this.registration = cancellation.onCancel(this::wake);
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Event next() {
    lock.lock();
    try {
      while (!ended && !closed) {
        Cancellation.Cause cause = cause();
        if (cause != null) {
          return end(Event.Failed.upstream(ScriptedProvider.failureOf(cause)));
        }
        switch (steps.poll()) {
          case null -> throw new IllegalStateException("the script has no terminal event");
          case Step.Emit(Event event) -> {
            return event.isTerminal() ? end(event) : event;
          }
          case Step.Pause pause -> pause(pause);
          case Step.Stall stall -> awaitEnd();
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private Cancellation.@Nullable Cause cause() {
    Cancellation.Cause cause = cancellation.cause();
    return cause == null ? closeCause : cause;
  }

  private boolean isLive() {
    return !closed && cause() == null;
  }

  private Event end(Event event) {
    ended = true;
    registration.close();
    return event;
  }

  private void awaitEnd() {
    while (isLive()) {
      changed.awaitUninterruptibly();
    }
  }

  private void pause(Step.Pause pause) {
    var alarm = new Alarm();
    Thread sleeper = ambient.start("scripted pause", () -> alarm.ringAfter(pause));
    while (!alarm.rang && isLive()) {
      changed.awaitUninterruptibly();
    }
    sleeper.interrupt();
  }

  private final class Alarm {
    private boolean rang; // guarded by lock

    void ringAfter(Step.Pause pause) {
      try {
        ambient.sleep(pause.time());
      } catch (InterruptedException e) {
        return; // the pause was ended early: nothing waits for it any more
      }
      lock.lock();
      try {
        rang = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public boolean ready() {
    lock.lock();
    try {
      return ended || !isLive() || steps.peek() instanceof Step.Emit;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the stream as its provider does when it is closed: the reader gets a failure. */
  void shutDown() {
    lock.lock();
    try {
      closeCause = Cancellation.Cause.SHUTDOWN;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    registration.close();
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
