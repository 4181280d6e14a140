package io.strowger.stores.database;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.documents.JdbcDocuments;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A process that writes to a database file and prints a line for each write that succeeded: one
 * document after another, or rows by several threads that never wait for each other. It ends when
 * it is killed, or cannot write.
 */
final class WriterProcess implements AutoCloseable {
  static final String KIND = "kind";
  private static final int THREADS = 4;
  private static final int FILLING_ROWS = 1_000; // rows of 20 kB

  private final Process process;
  private final BufferedReader lines;

  private WriterProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * @param prefix a command for the shell that starts the process, such as a limit; may be empty
   * @param from the number of the first document
   */
  static WriterProcess start(Path directory, String prefix, int from) throws IOException {
    return start(directory, prefix, from, "documents");
  }

  private static WriterProcess start(Path directory, String prefix, int from, String mode)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<String>();
    if (!prefix.isEmpty()) {
      command.addAll(List.of("sh", "-c", prefix + "; exec \"$@\"", "sh"));
    }
    command.addAll(
        List.of(java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WriterProcess.class.getName(), directory.toString(), "" + from, mode));
    return new WriterProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /**
   * Starts a process with several threads that write at the same time.
   *
   * @param from the number of the first row
   */
  static WriterProcess startThreads(Path directory, int from) throws IOException {
    return start(directory, "", from, "threads");
  }

  /** Starts such a process on a file of many megabytes, which it compacts all the time. */
  static WriterProcess startCompacting(Path directory, int from) throws IOException {
    return start(directory, "", from, "compacted");
  }

  static WriterProcess startRefused(Path directory) throws IOException {
    return start(directory, "", 0);
  }

  /** Returns the next line that the process prints; null when it has ended. */
  @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /** Kills the process, and returns the lines that it had printed by then. */
  List<String> kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close the output
    List<String> rest = lines.lines().toList();
    process.waitFor();
    return rest;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
    lines.close();
  }

  static DatabaseSettings settings(Path directory) {
    return new DatabaseSettings(
        "jdbc:h2:file:" + directory.resolve("store"), "me", new Credential("s3cret"));
  }

  /** Runs in the new process. */
  public static void main(String[] arguments) throws InterruptedException {
    int from = Integer.parseInt(arguments[1]);
    try {
      Database database = Database.open(settings(Path.of(arguments[0])), new SystemAmbient());
      if (arguments[2].equals("compacted")) {
        fill(database);
        Thread.ofPlatform().start(() -> compactForever(database));
      }
      if (!arguments[2].equals("documents")) {
        writeRows(database, new AtomicInteger(from));
      } else {
        writeDocuments(database, from);
      }
    } catch (StoreRefusedException e) {
      print("refused " + e.sentence());
    } catch (StoreUnavailableException e) {
      print("unavailable " + e.getMessage());
    }
    Runtime.getRuntime().halt(1);
  }

  private static void writeDocuments(Database database, int from) {
    var documents = new JdbcDocuments(database, new JacksonCodec());
    for (int i = from; ; i++) {
      Json.Obj body = Json.object().put("text", "x".repeat(i % 7 * 1000)).build();
      Document document = Document.create(KIND, "n" + i, "", Instant.EPOCH, body);
      documents.write(List.of(new Write.Insert(document)));
      print("wrote n" + i);
    }
  }

  private static void writeRows(Database database, AtomicInteger next) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      String threadName = "t" + t;
      threads.add(Thread.ofPlatform().start(() -> writeRows(database, threadName, next)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Fills the file. Unused space may be overwritten at once, or the test would take minutes. */
  private static void fill(Database database) {
    database.inTransaction("be quick", handle -> handle.execute("SET RETENTION_TIME 5"));
    database.inTransaction(
        "make room",
        handle ->
            handle.execute(
                "CREATE TABLE IF NOT EXISTS filling (id INTEGER PRIMARY KEY, data VARCHAR)"));
    for (int i = 0; i < FILLING_ROWS; i += 100) {
      int first = i;
      database.inTransaction("fill", handle -> fill(handle, first, first + 100));
    }
  }

  private static int fill(Handle handle, int from, int to) {
    var rows =
        handle.prepareBatch(
            "INSERT INTO filling (id, data) VALUES (:id, :data) ON CONFLICT DO NOTHING");
    for (int i = from; i < to; i++) {
      rows.bind("id", i).bind("data", "x".repeat(20_000)).add();
    }
    return rows.execute().length;
  }

  private static void compactForever(Database database) {
    var random = new Random(1);
    try {
      while (true) {
        int remainder = random.nextInt(15);
        database.inTransaction(
            "change",
            handle ->
                handle.execute(
                    "UPDATE filling SET data = RANDOM_UUID() || SUBSTRING(data, 37)"
                        + " WHERE MOD(id, 15) = ?",
                    remainder));
        if (database.compact()) {
          print("compacted");
        }
      }
    } catch (StoreUnavailableException e) {
      print("unavailable " + e.getMessage() + " " + e.getCause());
      Runtime.getRuntime().halt(1);
    }
  }

  /** Writes a few new rows and changes an existing one again and again, as the ledger does. */
  private static void writeRows(Database database, String threadName, AtomicInteger next) {
    try {
      while (true) {
        int number = next.incrementAndGet();
        database.inLastingTransaction("write", handle -> writeRows(handle, threadName, number));
        print("wrote n" + number);
      }
    } catch (StoreUnavailableException e) {
      print("unavailable " + e.getMessage() + " " + e.getCause());
      Runtime.getRuntime().halt(1);
    }
  }

  private static int writeRows(Handle handle, String threadName, int number) {
    var rows =
        handle.prepareBatch(
            "INSERT INTO generation (id, owner, came_at, record)"
                + " VALUES (:id, :owner, CURRENT_TIMESTAMP, :record)");
    for (int i = 0; i < 1 + number % 8; i++) {
      rows.bind("id", "n" + number + (i == 0 ? "" : "-" + i)).bind("owner", threadName);
      rows.bind("record", "x".repeat(600)).add();
    }
    rows.execute();
    int changed =
        handle.execute(
            "UPDATE document_removal SET removed_at = CURRENT_TIMESTAMP WHERE id = ?", threadName);
    return changed > 0
        ? changed
        : handle.execute(
            "INSERT INTO document_removal (revision, kind, id, removed_at)"
                + " VALUES (?, ?, ?, CURRENT_TIMESTAMP)",
            number,
            KIND,
            threadName);
  }

  /** Prints a whole line; several threads may print. */
  private static void print(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
