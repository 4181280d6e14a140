package io.strowger.stores.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A numbered SQL file that upgrades the tables from the previous version to its own.
 *
 * @param number the version of the tables after the migration
 * @param name the name of the file
 * @param sql the SQL text, with placeholders {@code ${exact}}, {@code ${bytes}}
 */
record Migration(int number, String name, String sql) {
  /** The files in the order they run; the first has number 1. */
  private static final List<String> NAMES =
      List.of(
          "V1__documents_and_generations.sql",
          "V2__ledger.sql",
          "V3__audit.sql",
          "V4__settled_blocks.sql",
          "V5__batches.sql");

  private static final String FOLDER = "/io/strowger/stores/migrations/";

  static final int NEWEST = NAMES.size();

  /**
   * Reads a file from the class path.
   *
   * @param number 1 to {@link #NEWEST}
   */
  static Migration of(int number) {
    String name = NAMES.get(number - 1);
    try (InputStream in = Migration.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("this jar lacks " + name);
      }
      return new Migration(number, name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("this jar cannot be read: " + name, e);
    }
  }

  /** Returns a description: the words in the name of the file. */
  String description() {
    int from = name.indexOf("__") + 2;
    return name.substring(from, name.lastIndexOf('.')).replace('_', ' ');
  }

  /** Returns the CRC-32 of the lines, which earlier versions of the gateway compare. */
  int checksum() {
    var sum = new CRC32();
    sql.lines().forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
    return (int) sum.getValue();
  }
}
