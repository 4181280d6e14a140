package io.strowger.core.guardrail;

/**
 * Finds IP addresses: IPv4 addresses of four numbers from 0 to 255 with dots between, and IPv6
 * addresses, in full or shortened with {@code ::}. A shortened address must contain a digit, since
 * {@code Ab::Cd} may be source code. Software versions of four numbers cannot be told apart from
 * addresses and are found as well; those of five numbers are not. A word may stand directly before
 * or behind an address when a colon is between them: {@code ip:10.0.0.1}, {@code 10.0.0.1:http}. An
 * address is not found within more than 51 consecutive hex digits, dots and colons, such as behind
 * a hash and a colon: a stream would otherwise have to keep such a run back.
 */
final class IpDetector implements Detector.OfBoundedLength {
  private static final int MAX_ADDRESS_CHARS = 51; // the longest address and a port
  private static final int IPV6_GROUPS = 8;

  @Override
  public int scan(TextMatches matches) {
    String text = matches.text();
    int i = matches.from();
    while (matches.advanceTo(i)) {
      if (!isAddressChar(text.charAt(i))) {
        i++;
        continue;
      }
      matches.beginCandidate();
      int end = i;
      boolean hasColon = false;
      while (matches.hasChar(end) && matches.advanceTo(end) && isAddressChar(text.charAt(end))) {
        hasColon |= text.charAt(end) == ':';
        end++;
      }
      if (i > 0 && isAddressChar(text.charAt(i - 1))) {
        i = end; // the rest of a run of such characters
        continue;
      }
      if (trimmedEnd(text, i, end) - i <= MAX_ADDRESS_CHARS) {
        if (matches.needsMoreText()) {
          return i;
        }
        add(matches, i, end, hasColon);
      }
      i = end;
    }
    return i;
  }

  /** Returns the end (exclusive) of an address, without the punctuation that ends a sentence. */
  private static int trimmedEnd(String text, int start, int end) {
    int trimmed = end;
    while (trimmed > start
        && ".:".indexOf(text.charAt(trimmed - 1)) >= 0
        && !text.startsWith("::", trimmed - 2)) {
      trimmed--;
    }
    return trimmed;
  }

  /** Returns where an address may begin after a word and a colon, such as {@code ip:}. */
  private static int afterFirstColon(String text, int from, int to) {
    int colon = text.indexOf(':', from);
    return colon < 0 || colon >= to ? to : colon + 1;
  }

  /** Returns where an address may end before a colon and a word, such as {@code :http}. */
  private static int lastColon(String text, int from, int to) {
    return Math.max(from, text.lastIndexOf(':', to - 1));
  }

  private static void add(TextMatches matches, int from, int to, boolean hasColon) {
    String text = matches.text();
    boolean followsWord = from > 0 && isWordChar(text.charAt(from - 1));
    int start = followsWord ? afterFirstColon(text, from, to) : from;
    boolean isBeforeWord = to < text.length() && isWordChar(text.charAt(to));
    int end = isBeforeWord ? lastColon(text, from, to) : to;
    while (start < end && ".:".indexOf(text.charAt(start)) >= 0 && !text.startsWith("::", start)) {
      start++;
    }
    int trimmedEnd = trimmedEnd(text, start, end);
    if (trimmedEnd - start <= 1) {
      return;
    }
    String candidate = text.substring(start, trimmedEnd);
    if (hasColon && isIpv6(candidate)) {
      matches.add(start, trimmedEnd);
      return;
    }
    int pieceStart = start;
    for (String piece : candidate.split(":", -1)) { // such as a name or a port beside the address
      if (isIpv4(piece)) {
        matches.add(pieceStart, pieceStart + piece.length());
      }
      pieceStart += piece.length() + 1;
    }
  }

  private static boolean isAddressChar(char c) {
    return Digits.isDigit(c)
        || c >= 'a' && c <= 'f'
        || c >= 'A' && c <= 'F'
        || c == ':'
        || c == '.';
  }

  private static boolean isWordChar(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  static boolean isIpv4(String candidate) {
    String[] numbers = candidate.split("\\.", -1);
    if (numbers.length != 4) {
      return false;
    }
    for (String number : numbers) {
      if (number.isEmpty()
          || number.length() > 3
          || !number.chars().allMatch(c -> Digits.isDigit((char) c))
          || Integer.parseInt(number) > 255) {
        return false;
      }
    }
    return true;
  }

  static boolean isIpv6(String candidate) {
    String text = candidate;
    int ipv4Start = text.indexOf('.') < 0 ? -1 : text.lastIndexOf(':') + 1;
    if (ipv4Start > 0) { // ends in an IPv4 address, which stands for two groups
      if (!isIpv4(text.substring(ipv4Start))) {
        return false;
      }
      text = text.substring(0, ipv4Start) + "0:0";
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return countGroups(text) == IPV6_GROUPS;
    }
    if (text.indexOf("::", gap + 1) >= 0 || text.chars().noneMatch(c -> Digits.isDigit((char) c))) {
      return false;
    }
    int before = gap == 0 ? 0 : countGroups(text.substring(0, gap));
    String tail = text.substring(gap + 2);
    int after = tail.isEmpty() ? 0 : countGroups(tail);
    return before >= 0 && after >= 0 && before + after > 0 && before + after < IPV6_GROUPS;
  }

  /** Returns the number of groups of one to four digits; -1 when a group is invalid. */
  private static int countGroups(String text) {
    String[] groups = text.split(":", -1);
    for (String group : groups) {
      if (group.isEmpty() || group.length() > 4 || group.indexOf('.') >= 0) {
        return -1;
      }
    }
    return groups.length;
  }
}
