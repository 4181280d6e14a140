package io.strowger.core.pipeline;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The web searches of plugins and tools for one request: their number, and the pages that each
 * answer of the request cites. Safe on any thread.
 */
final class WebCitations {
  /** The maximum number of pages of one answer: more than thirty searches of a loop find. */
  private static final int MAX_PAGES = 1_000;

  private final AtomicInteger searches = new AtomicInteger();
  private volatile boolean hasVisiblePages;

  void countSearch() {
    searches.incrementAndGet();
  }

  /** Returns whether there are pages that the caller may see. */
  boolean hasVisiblePages() {
    return hasVisiblePages;
  }

  /** Returns a usage with these searches added. */
  Usage addSearches(Usage usage) {
    int count = searches.get();
    return count == 0 ? usage : usage.toBuilder().searches(usage.searches() + count).build();
  }

  /**
   * Returns a new list of the pages of one answer.
   *
   * @param outer the pages of the surrounding answer; they move to this answer, so that the guard
   *     in between checks them. Null when there is none
   */
  Pages pages(@Nullable Pages outer) {
    return new Pages(outer == null ? List.of() : outer.transfer(), true);
  }

  /** Returns a new list of the pages of an inner call's answer, which the caller does not see. */
  Pages innerPages(@Nullable Pages outer) {
    return new Pages(outer == null ? List.of() : outer.transfer(), false);
  }

  /**
   * The pages that one answer cites. They are delivered once, after the first text that follows
   * their discovery. The contents of files are also delivered at the end of an answer without such
   * text, and in the error when all providers failed. Safe on any thread.
   */
  final class Pages {
    private final boolean isVisible; // to the caller
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Json> addresses = new HashSet<>();
    private final List<Json.Obj> allPages = new ArrayList<>();
    private final Queue<Json.Obj> pendingPages = new ArrayDeque<>();

    private Pages(List<Json.Obj> initialPages, boolean isVisible) {
      this.isVisible = isVisible;
      initialPages.forEach(this::add);
    }

    /** Returns all pages that were found; this answer no longer delivers them. */
    private List<Json.Obj> transfer() {
      lock.lock();
      try {
        pendingPages.clear();
        return List.copyOf(allPages);
      } finally {
        lock.unlock();
      }
    }

    void add(Json.Obj citation) {
      Json.Obj page = citation.object("url_citation");
      Json address = page == null ? null : page.get("url");
      lock.lock();
      try {
        if (addresses.size() < MAX_PAGES && addresses.add(address == null ? citation : address)) {
          Json.Obj fullCitation = withRequiredMembers(citation).detached();
          allPages.add(fullCitation);
          pendingPages.add(fullCitation);
          hasVisiblePages = hasVisiblePages || isVisible;
        }
      } finally {
        lock.unlock();
      }
    }

    private List<Json.Obj> take() {
      lock.lock();
      try {
        if (pendingPages.isEmpty()) {
          return List.of();
        }
        var result = new ArrayList<>(pendingPages);
        pendingPages.clear();
        return result;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Removes and returns the contents of files, for an answer without text: the caller has to send
     * them back even if the answer has only tool calls. Web pages are not cited without text.
     */
    private List<Json.Obj> takeFiles() {
      lock.lock();
      try {
        var files = new ArrayList<Json.Obj>();
        for (Json.Obj page : pendingPages) {
          if ("file".equals(page.text("type"))) {
            files.add(page);
          }
        }
        pendingPages.removeAll(files);
        return files;
      } finally {
        lock.unlock();
      }
    }

    /** Returns the answer with its citations. */
    EventStream withCitations(EventStream answer) {
      return new CitingStream(answer, this);
    }
  }

  /**
   * Adds the members that clients require; a citation without a place gets the beginning of the
   * text.
   */
  private static Json.Obj withRequiredMembers(Json.Obj citation) {
    Json.Obj page = citation.object("url_citation");
    if (page == null) {
      return citation;
    }
    Json.Obj fullPage =
        Json.object()
            .put("title", "")
            .put("start_index", 0)
            .put("end_index", 0)
            .putAll(page)
            .build();
    return fullPage.size() == page.size() ? citation : citation.with("url_citation", fullPage);
  }

  /** An answer with its citations. Read by one thread, closed by any. */
  private static final class CitingStream implements EventStream {
    private final EventStream answer;
    private final Pages pages;
    private final Deque<Event> readyEvents = new ArrayDeque<>();

    CitingStream(EventStream answer, Pages pages) {
      this.answer = answer;
      this.pages = pages;
    }

    @Override
    public @Nullable Event next() {
      Event citation = readyEvents.poll();
      if (citation != null) {
        return citation;
      }
      Event event = answer.next();
      if (event instanceof Event.TextDelta delta && !delta.text().isEmpty()) {
        for (Json.Obj page : pages.take()) {
          readyEvents.add(new Event.Annotation(page, null));
        }
      }
      if (event instanceof Event.Finished) {
        for (Json.Obj file : pages.takeFiles()) {
          readyEvents.add(new Event.Annotation(file, null));
        }
        readyEvents.add(event);
        return readyEvents.poll();
      }
      if (event instanceof Event.Failed failure) {
        return withFiles(failure);
      }
      return event instanceof Event.CompleteAnswer(Answer completeAnswer)
          ? new Event.CompleteAnswer(withCitations(completeAnswer))
          : event;
    }

    /**
     * Adds the contents of files to the error when all providers failed, so that they need not be
     * read again. Plugins fact sheet, section 7.
     */
    private Event.Failed withFiles(Event.Failed failure) {
      boolean isUpstreamFailure =
          failure.cause() != null || failure.code().blame() == ErrorCode.Blame.UPSTREAM;
      List<Json.Obj> files = isUpstreamFailure ? pages.takeFiles() : List.of();
      return files.isEmpty()
          ? failure
          : new Event.Failed(
              failure.error().withMetadata("file_annotations", Json.array(files)), failure.cause());
    }

    /** Adds the citations after the first text, or files at the end when there is none. */
    private Answer withCitations(Answer completeAnswer) {
      int first = firstText(completeAnswer.parts());
      List<Json.Obj> citations = first < 0 ? pages.takeFiles() : pages.take();
      int position = first < 0 ? completeAnswer.parts().size() - 1 : first;
      if (citations.isEmpty()) {
        return completeAnswer;
      }
      var parts = new ArrayList<>(completeAnswer.parts());
      parts.addAll(
          position + 1, citations.stream().map(page -> new Part.Citation(page, null)).toList());
      return new Answer(
          parts,
          completeAnswer.stopReason(),
          completeAnswer.nativeReason(),
          completeAnswer.usage(),
          completeAnswer.dialect(),
          null);
    }

    private static int firstText(List<Part> parts) {
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i) instanceof Part.Text text && !text.text().isEmpty()) {
          return i;
        }
      }
      return -1;
    }

    @Override
    public boolean ready() {
      return !readyEvents.isEmpty() || answer.ready();
    }

    @Override
    public void close() {
      answer.close();
    }
  }
}
