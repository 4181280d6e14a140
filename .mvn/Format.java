import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks the layout of every Java file below a folder, or applies it: {@code Format check|apply
 * FOLDER}. Run by pom.xml.
 */
class Format {
  private static final Set<String> SKIPPED = Set.of("target", ".git");

  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    List<String> wrong =
        sources(root).parallelStream()
            .filter(file -> differs(file, apply))
            .map(file -> root.relativize(file).toString())
            .sorted()
            .toList();
    if (wrong.isEmpty()) {
      return;
    }
    String files = wrong.size() + " files\n  " + String.join("\n  ", wrong);
    System.err.println(
        apply
            ? "formatted " + files
            : "not in google-java-format, mend with: mvn -N verify -Dformat=apply\n" + files);
    System.exit(apply ? 0 : 1);
  }

  private static boolean differs(Path file, boolean apply) {
    try {
      String text = Files.readString(file);
      String formatted = new Formatter().formatSourceAndFixImports(text);
      if (apply && !formatted.equals(text)) {
        Files.writeString(file, formatted);
      }
      return !formatted.equals(text);
    } catch (FormatterException unparsable) {
      System.err.println(file + ": " + unparsable.getMessage());
      return true;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes about) {
            return SKIPPED.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
            if (file.toString().endsWith(".java")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
