package io.strowger.stores.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.mvstore.MVStore;

/**
 * The state of an embedded database file by its header. The database itself would mistake a
 * truncated file for an older state and continue from there.
 */
enum DatabaseFileHeader {
  /** Not a file of such a database. */
  FOREIGN,
  /** Closed in good order, but truncated since. */
  TRUNCATED,
  /** Neither of these, as far as the header shows: the file can be opened for a closer look. */
  PLAUSIBLE;

  private static final int BLOCK_BYTES = 4096;
  private static final Pattern BLOCK = Pattern.compile("[,]block:([0-9a-f]{1,12})");
  private static final Pattern LIVE_PAGES = Pattern.compile("[,]livePages:([0-9a-f]{1,8})");
  private static final Pattern BLOCK_COUNT = Pattern.compile("[,]len:([0-9a-f]{1,8})");

  static DatabaseFileHeader of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      String head = line(channel, 0);
      if (!head.startsWith("H:2,")) {
        return FOREIGN;
      }
      Matcher newest = BLOCK.matcher(head);
      // a process that was killed did not write which part is the newest
      if (!head.contains(",clean:1,") || !newest.find()) {
        return PLAUSIBLE;
      }
      long block = Long.parseLong(newest.group(1), 16);
      Matcher length = BLOCK_COUNT.matcher(line(channel, block * BLOCK_BYTES));
      long blocks = length.find() ? Long.parseLong(length.group(1), 16) : 1;
      return (block + blocks) * BLOCK_BYTES <= channel.size() ? PLAUSIBLE : TRUNCATED;
    }
  }

  /**
   * Returns whether a file that can be opened ends before a part that is needed. In a file that was
   * not closed properly the part at the end may not be the newest one.
   */
  static boolean endsEarly(Path file) throws IOException {
    long size = Files.size(file);
    try (MVStore store = new MVStore.Builder().fileName(file.toString()).readOnly().open()) {
      for (Map.Entry<String, String> part : store.getLayoutMap().entrySet()) {
        if (part.getKey().startsWith("chunk.") && endOfPart(part.getValue()) > size) {
          return true;
        }
      }
      return false;
    }
  }

  private static long endOfPart(String part) {
    Matcher block = BLOCK.matcher(part);
    Matcher length = BLOCK_COUNT.matcher(part);
    Matcher livePages = LIVE_PAGES.matcher(part);
    boolean isNeeded =
        !livePages.find() || !livePages.group(1).equals("0"); // absent: all pages are live
    return isNeeded && block.find() && length.find()
        ? (Long.parseLong(block.group(1), 16) + Long.parseLong(length.group(1), 16)) * BLOCK_BYTES
        : 0;
  }

  private static String line(FileChannel channel, long at) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
      // until the buffer is full or the file ends
    }
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
