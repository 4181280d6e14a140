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
import org.jspecify.annotations.Nullable;

/**
 * A process that writes one document after another into a file, and says on a line of its own what
 * it was told was written. It ends when it is killed, or cannot write.
 */
final class WriterProcess implements AutoCloseable {
  static final String KIND = "kind";

  private final Process process;
  private final BufferedReader lines;

  private WriterProcess(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * @param prefix what the process is started with, such as a limit of a shell; may be empty
   * @param from number of the first document
   */
  static WriterProcess start(Path directory, String prefix, int from) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<String>();
    if (!prefix.isEmpty()) {
      command.addAll(List.of("sh", "-c", prefix + "; exec \"$@\"", "sh"));
    }
    command.addAll(
        List.of(java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WriterProcess.class.getName(), directory.toString(), "" + from));
    return new WriterProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  static WriterProcess startUnready(Path directory) throws IOException {
    return start(directory, "", 0);
  }

  /** What it says next; null when it has ended. */
  @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /** Kills it, and returns what it had said by then. */
  List<String> kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // the process itself would close what it had said
    List<String> rest = lines.lines().toList();
    process.waitFor();
    return rest;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
    lines.close();
  }

  /** The process itself. */
  public static void main(String[] arguments) {
    var out = System.out;
    String url = "jdbc:h2:file:" + arguments[0] + "/store";
    try {
      var settings = new DatabaseSettings(url, "me", new Credential("s3cret"));
      Database database = Database.open(settings, new SystemAmbient());
      var documents = new JdbcDocuments(database, new JacksonCodec());
      for (int i = Integer.parseInt(arguments[1]); ; i++) {
        Json.Obj body = Json.object().put("text", "x".repeat(i % 7 * 1000)).build();
        Document document = Document.fresh(KIND, "n" + i, "", Instant.EPOCH, body);
        documents.write(List.of(new Write.Insert(document)));
        out.println("wrote n" + i);
        out.flush();
      }
    } catch (StoreRefusedException e) {
      out.println("refused " + e.sentence());
    } catch (StoreUnavailableException e) {
      out.println("unavailable " + e.getMessage());
    }
    out.flush();
    Runtime.getRuntime().halt(1);
  }
}
