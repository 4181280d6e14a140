package io.strowger.core.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store for slices and gives them back: one question at a time about each, never under a
 * lock.
 */
final class Leases {
  private static final Logger log = LoggerFactory.getLogger(Leases.class);

  private final LedgerStore store;
  private final Ambient ambient;

  Leases(LedgerStore store, Ambient ambient) {
    this.store = store;
    this.ambient = ambient;
  }

  /**
   * Asks for more, or waits for who is asking already. Afterwards it may be enough. The question is
   * asked on a thread of its own, so nobody waits longer than he wants, whatever the store does.
   *
   * @param nanos for how long to wait
   * @return why there is no answer; null when there is one
   */
  @Nullable String obtain(Lack lack, long nanos) {
    Asking asking;
    boolean mine;
    lack.book().lock();
    try {
      Asking other = lack.slice().asking();
      mine = other == null;
      asking = other == null ? lack.slice().ask() : other;
    } finally {
      lack.book().unlock();
    }
    if (mine) {
      begin("strowger-ledger-ask", lack, asking);
    }
    return asking.await(nanos);
  }

  /** Asks in the background; the question is begun. */
  void refill(Lack lack, Asking begun) {
    begin("strowger-ledger-refill", lack, begun);
  }

  private void begin(String thread, Lack lack, Asking begun) {
    boolean started = false;
    try {
      ambient.start(thread, () -> ask(lack, begun));
      started = true;
    } finally {
      if (!started) { // out of memory, say: nobody may wait for it
        end(lack, begun, "the store of the books could not be asked");
      }
    }
  }

  private void ask(Lack lack, Asking begun) {
    String failure = "the store of the books failed";
    try {
      answer(lack);
      failure = null;
    } catch (RuntimeException cannot) {
      failure = failure + ": " + cannot.getMessage();
      log.warn("no slice of {} could be had: {}", lack.window().account(), cannot.getMessage());
    } finally {
      end(lack, begun, failure);
    }
  }

  private void end(Lack lack, Asking begun, @Nullable String failure) {
    if (failure != null) {
      unanswered(lack);
    }
    begun.end(failure);
  }

  private void answer(Lack lack) {
    Slice slice = lack.slice();
    Window window = lack.window();
    boolean shrinks;
    long spent;
    lack.book().lock();
    try {
      spent = window.spent(slice.withOwnKeys());
      shrinks = slice.shrinks(lack.limit());
      if (shrinks) {
        lack.book().endDeal();
        slice.keep(spent);
      }
    } finally {
      lack.book().unlock();
    }
    if (shrinks) {
      store.giveBack(window.account(), slice.withOwnKeys(), new Usd(spent));
    }
    LedgerStore.Ask ask = question(lack);
    LedgerStore.Slice granted = store.lease(ask);
    lack.book().lock();
    try {
      lack.book().endDeal();
      slice.answered(ask, granted, ambient.nanoTime());
    } finally {
      lack.book().unlock();
    }
  }

  private LedgerStore.Ask question(Lack lack) {
    Slice slice = lack.slice();
    lack.book().lock();
    try {
      long need = Amounts.plus(lack.window().spent(slice.withOwnKeys()), lack.hold());
      long share = slice.share(lack.hold(), lack.limit());
      long want = Math.max(need, Math.min(lack.limit(), Amounts.plus(need, share)));
      return new LedgerStore.Ask(
          lack.window().account(),
          slice.withOwnKeys(),
          new Usd(lack.limit()),
          new Usd(need),
          new Usd(want));
    } finally {
      lack.book().unlock();
    }
  }

  private void unanswered(Lack lack) {
    lack.book().lock();
    try {
      lack.slice().unanswered(ambient.nanoTime());
    } finally {
      lack.book().unlock();
    }
  }

  /**
   * Gives back what is not spent, unless somebody is asking for more.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store cannot take it; nobody
   *     here spends it either way, and it is {@linkplain Slice#hasSpare spare} still
   */
  void giveBack(Book book, Window window, Slice slice) {
    Asking begun;
    long spent;
    book.lock();
    try {
      if (slice.asking() != null) {
        return;
      }
      begun = slice.ask();
      spent = window.spent(slice.withOwnKeys());
      book.endDeal();
      slice.keep(spent);
    } finally {
      book.unlock();
    }
    boolean told = false;
    try {
      store.giveBack(window.account(), slice.withOwnKeys(), new Usd(spent));
      told = true;
    } finally {
      book.lock();
      try {
        slice.gaveBack(told);
      } finally {
        book.unlock();
      }
      begun.end(null);
    }
  }
}
