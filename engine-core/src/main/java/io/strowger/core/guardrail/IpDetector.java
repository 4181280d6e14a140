package io.strowger.core.guardrail;

/**
 * Finds IP addresses: IPv4 addresses of four numbers from 0 to 255 with dots between, and IPv6
 * addresses, in full or shortened with {@code ::}. A shortened address must contain a digit, since
 * {@code Ab::Cd} may be source code. Software versions of four numbers cannot be told apart from
 * addresses and are found as well; those of five numbers are not.
 */
final class IpDetector implements Detector.Bounded {
  private static final int MAX_RUN = 51; // the longest address and a port
  private static final int GROUPS = 8;

  @Override
  public int scan(TextMatches in) {
    String text = in.text();
    int i = in.from();
    while (in.hasNextAt(i)) {
      if (!isPart(text.charAt(i))) {
        i++;
        continue;
      }
      in.candidate();
      int end = i;
      boolean colons = false;
      while (in.has(end) && in.hasNextAt(end) && isPart(text.charAt(end))) {
        colons |= text.charAt(end) == ':';
        end++;
      }
      boolean inside = i > 0 && (isWord(text.charAt(i - 1)) || isPart(text.charAt(i - 1)));
      if (inside || end < text.length() && isWord(text.charAt(end))) {
        i = end; // a part of a word
        continue;
      }
      if (in.isOpen() && last(text, i, end) - i <= MAX_RUN) {
        return i;
      }
      if (!in.isOpen()) {
        add(in, i, end, colons);
      }
      i = end;
    }
    return i;
  }

  /** Returns the end (exclusive) of an address, without the punctuation that ends a sentence. */
  private static int last(String text, int start, int end) {
    int last = end;
    while (last > start
        && ".:".indexOf(text.charAt(last - 1)) >= 0
        && !text.startsWith("::", last - 2)) {
      last--;
    }
    return last;
  }

  private static void add(TextMatches in, int start, int end, boolean colons) {
    String text = in.text();
    int last = last(text, start, end);
    if (last - start <= 1 || last - start > MAX_RUN) {
      return;
    }
    String candidate = text.substring(start, last);
    if (colons && isIpv6(candidate)) {
      in.found(start, last);
      return;
    }
    int port = colons ? candidate.indexOf(':') : -1;
    String host = port < 0 ? candidate : candidate.substring(0, port);
    if (isIpv4(host)) {
      in.found(start, start + host.length());
    }
  }

  private static boolean isPart(char c) {
    return Digits.isDigit(c)
        || c >= 'a' && c <= 'f'
        || c >= 'A' && c <= 'F'
        || c == ':'
        || c == '.';
  }

  private static boolean isWord(char c) {
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
    int fourth = text.indexOf('.') < 0 ? -1 : text.lastIndexOf(':') + 1;
    if (fourth > 0) { // ends in an IPv4 address, which stands for two groups
      if (!isIpv4(text.substring(fourth))) {
        return false;
      }
      text = text.substring(0, fourth) + "0:0";
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text) == GROUPS;
    }
    if (text.indexOf("::", gap + 1) >= 0 || text.chars().noneMatch(c -> Digits.isDigit((char) c))) {
      return false;
    }
    int before = gap == 0 ? 0 : groups(text.substring(0, gap));
    String rest = text.substring(gap + 2);
    int after = rest.isEmpty() ? 0 : groups(rest);
    return before >= 0 && after >= 0 && before + after > 0 && before + after < GROUPS;
  }

  /** Returns the number of groups of one to four digits; -1 when a group is invalid. */
  private static int groups(String text) {
    String[] groups = text.split(":", -1);
    for (String group : groups) {
      if (group.isEmpty() || group.length() > 4 || group.indexOf('.') >= 0) {
        return -1;
      }
    }
    return groups.length;
  }
}
