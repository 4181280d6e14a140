package io.strowger.plugins.responsehealing;

import java.util.BitSet;

/**
 * Reads one object or array that is nearly JSON and writes it as JSON. Reads the text once, without
 * recursion, and gives up if it would lose content.
 */
final class TolerantReader {
  private static final int MAX_DEPTH = 512;

  private final TextCursor in;
  private final int lastStructural;
  private final StringBuilder out = new StringBuilder();
  private final QuotedText quotedText;
  private final BareWord bareWord;
  private final BitSet isObjectAt =
      new BitSet(); // by depth: whether the open container is an object
  // by depth: whether the open container has members or items
  private final BitSet hasMembers = new BitSet();
  private int depth;
  private int openObjects;
  private boolean hasContent;

  /** How reading ended. */
  enum Outcome {
    /** At the bracket that closes the value. */
    CLOSED,
    /** Before the closing bracket; the missing brackets are added. */
    TRUNCATED,
    /** At something unreadable, after readable content. */
    BROKEN,
    /** At once: the brackets are part of a sentence, not JSON. */
    NOT_JSON
  }

  /**
   * @param in the cursor, before the opening bracket
   * @param lastStructural the index of the text's last bracket or quote; only prose follows it
   */
  TolerantReader(TextCursor in, int lastStructural) {
    this.in = in;
    this.lastStructural = lastStructural;
    quotedText = new QuotedText(in, out);
    bareWord = new BareWord(in, out);
  }

  String json() {
    return out.toString();
  }

  Outcome read() {
    openContainer(in.take());
    while (depth > 0) {
      in.skipIgnorable();
      int c = in.peek();
      if (in.isAtEndOrFence()) {
        return closeAll();
      }
      if (c == ',') {
        in.take(); // written before the next member
      } else if (c == '}' || c == ']') {
        closeContainer(in.take() == '}');
      } else {
        int from = in.position();
        int length = out.length();
        if (!readMember(c)) {
          return giveUp(from, length);
        }
      }
    }
    return Outcome.CLOSED;
  }

  /** Ends the value if only prose is left; otherwise gives up. */
  private Outcome giveUp(int from, int length) {
    if (hasContent && from > lastStructural) {
      out.setLength(length);
      in.moveTo(from);
      return closeAll();
    }
    return hasContent || depth > MAX_DEPTH ? Outcome.BROKEN : Outcome.NOT_JSON;
  }

  private Outcome closeAll() {
    while (depth > 0) {
      closeInnermost();
    }
    return hasContent ? Outcome.TRUNCATED : Outcome.NOT_JSON;
  }

  private boolean readMember(int c) {
    int lengthBefore = out.length();
    if (hasMembers.get(depth)) {
      out.append(',');
    }
    boolean isObject = isObjectAt.get(depth);
    if (isObject) {
      if (!readName(c)) {
        return false;
      }
      in.skipIgnorable();
      if (in.peek() != ':') {
        out.setLength(lengthBefore);
        return in.isAtEndOrFence(); // a truncated name is dropped
      }
      in.take();
      out.append(':');
      in.skipIgnorable();
    }
    hasMembers.set(depth);
    return readValue(isObject);
  }

  private boolean readName(int c) {
    if (QuotedText.opens(c)) {
      quotedText.read(QuotedText.Role.NAME);
      return true;
    }
    return bareWord.readName();
  }

  private boolean readValue(boolean isObject) {
    int c = in.peek();
    if (c == '{' || c == '[') {
      in.take();
      return openContainer(c);
    }
    if (QuotedText.opens(c) && !in.isAtEndOrFence()) {
      quotedText.read(isObject ? QuotedText.Role.MEMBER_VALUE : QuotedText.Role.ITEM);
    } else if (isObject && (in.isAtEndOrFence() || c == ',' || c == '}' || c == ']')) {
      out.append("null");
    } else if (!(isObject ? bareWord.readMemberValue() : bareWord.readItem())) {
      return false;
    }
    hasContent = true;
    return true;
  }

  private boolean openContainer(int c) {
    depth++;
    boolean isObject = c == '{';
    isObjectAt.set(depth, isObject);
    hasMembers.clear(depth);
    openObjects += isObject ? 1 : 0;
    out.append((char) c);
    return depth <= MAX_DEPTH;
  }

  /**
   * Closes the innermost container of a kind and all containers inside it; ignores a bracket that
   * would not match or would close too much.
   */
  private void closeContainer(boolean isObject) {
    boolean isOpen = isObject ? openObjects > 0 : depth > openObjects;
    boolean isInnermost = isObjectAt.get(depth) == isObject;
    if (!isOpen || !isInnermost && closesAll(isObject)) {
      return;
    }
    hasContent = true;
    while (isObjectAt.get(depth) != isObject) {
      closeInnermost();
    }
    closeInnermost();
  }

  /** Returns whether the bracket would close the outermost container although more JSON follows. */
  private boolean closesAll(boolean isObject) {
    int innermost =
        isObject ? isObjectAt.previousSetBit(depth) : isObjectAt.previousClearBit(depth);
    return innermost == 1 && in.position() <= lastStructural;
  }

  private void closeInnermost() {
    boolean isObject = isObjectAt.get(depth);
    out.append(isObject ? '}' : ']');
    openObjects -= isObject ? 1 : 0;
    isObjectAt.clear(depth--);
  }
}
