package io.strowger.conformance;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A test that is annotated as the proof of rows. The annotation is read from the source, since the
 * tests of other modules are not on the class path.
 *
 * @param source the file of the test
 * @param type the binary name of its class
 * @param method the test, or null for all tests of the class
 * @param rows the ids of rows, or of sections followed by {@code .*}, as they are written
 */
record Proof(Path source, String type, @Nullable String method, List<String> rows) {
  private static final String ANNOTATION = "Proves";
  private static final Set<String> TEST_ANNOTATIONS =
      Set.of(
          "Test",
          "ParameterizedTest",
          "RepeatedTest",
          "TestFactory",
          "TestTemplate",
          "Property",
          "AtEveryPath",
          "AtEveryPathAndStreaming");

  /** Returns whether the annotation names a row. */
  boolean covers(ContractRow row) {
    return rows.stream().anyMatch(named -> covers(named, row.id()));
  }

  static boolean covers(String named, String id) {
    return named.endsWith(".*")
        ? id.startsWith(named.substring(0, named.length() - 1))
        : id.equals(named);
  }

  /**
   * Returns the simple class name and the method of the test, such as {@code
   * KeyServiceTest.created}.
   */
  String label() {
    String simple = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
    return method == null ? simple : simple + "." + method;
  }

  /** Returns the proofs in the test sources of a project, in the order of files and lines. */
  static List<Proof> find(Path root) throws IOException {
    var files = new ArrayList<Path>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = String.valueOf(directory.getFileName());
            // other tests may be writing to target
            return name.equals("target") || name.startsWith(".") && !directory.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (isTest(file) && Files.readString(file).contains("@" + ANNOTATION + "(")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return of(files);
  }

  private static boolean isTest(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.endsWith(".java")
        && (path.contains("/src/test/java/") || path.contains("/engine-tck/src/main/java/"));
  }

  /**
   * Returns the proofs in some files.
   *
   * @throws AssertionError if the annotation is on something that is no test, or on a disabled test
   */
  static List<Proof> of(List<Path> files) throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no JDK");
    var found = new ArrayList<Proof>();
    try (var manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree unit : task.parse()) {
        Path file = Path.of(unit.getSourceFile().toUri());
        new Finder(file, unit.getPackageName() + ".", found).scan(unit, null);
      }
    }
    return found;
  }

  /** Finds the proofs in the classes of a file, including nested classes. */
  private static final class Finder extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final Path file;
    private final List<Proof> found;
    private String type;

    Finder(Path file, String packageName, List<Proof> found) {
      this.file = file;
      this.type = packageName;
      this.found = found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void none) {
      String outer = type;
      type = (outer.endsWith(".") ? outer : outer + "$") + tree.getSimpleName();
      add(tree.getModifiers(), null);
      super.visitClass(tree, none);
      type = outer;
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void none) {
      add(tree.getModifiers(), tree.getName().toString());
      return super.visitMethod(tree, none);
    }

    private void add(ModifiersTree modifiers, @Nullable String method) {
      AnnotationTree proves = annotation(modifiers, Set.of(ANNOTATION));
      if (proves == null) {
        return;
      }
      var proof = new Proof(file, type, method, values(proves));
      if (method != null && annotation(modifiers, TEST_ANNOTATIONS) == null) {
        throw new AssertionError("@Proves is on something that is no test: " + proof.label());
      }
      if (annotation(modifiers, Set.of("Disabled")) != null) {
        throw new AssertionError("@Proves is on a disabled test: " + proof.label());
      }
      found.add(proof);
    }

    private static @Nullable AnnotationTree annotation(ModifiersTree modifiers, Set<String> names) {
      for (AnnotationTree annotation : modifiers.getAnnotations()) {
        if (names.contains(annotation.getAnnotationType().toString())) {
          return annotation;
        }
      }
      return null;
    }

    private static List<String> values(AnnotationTree annotation) {
      ExpressionTree value = annotation.getArguments().getFirst();
      if (value instanceof AssignmentTree named) {
        value = named.getExpression();
      }
      List<? extends ExpressionTree> all =
          value instanceof NewArrayTree array ? array.getInitializers() : List.of(value);
      return all.stream().map(one -> (String) ((LiteralTree) one).getValue()).toList();
    }
  }
}
