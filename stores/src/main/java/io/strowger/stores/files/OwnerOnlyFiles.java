package io.strowger.stores.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files of mode 0600 and directories of mode 0700. The mode is set at creation, so there is
 * no moment in which others could open them. Where a file system has no POSIX permissions, its own
 * rules apply.
 */
public final class OwnerOnlyFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnlyFiles() {}

  /** Returns the attributes to create a file with. */
  public static FileAttribute<?>[] file(Path path) {
    return attributes(path, FILE);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
    return knowsPermissions(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Creates a directory and its missing parents.
   *
   * @throws FileAlreadyExistsException when a file has the name of one of them
   */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /**
   * Creates an empty file, so that no other code creates it readable for others; keeps an existing
   * one.
   */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, file(file));
    } catch (FileAlreadyExistsException there) {
      // its content is kept
    }
  }

  /**
   * Restricts a file or directory that the gateway created, perhaps in an earlier version, to its
   * owner. When that is not permitted, it only logs a warning.
   */
  public static void restrictToOwner(Path ours) {
    try {
      Set<PosixFilePermission> loose = othersMay(ours);
      if (!loose.isEmpty()) {
        Files.setPosixFilePermissions(ours, Files.isDirectory(ours) ? DIRECTORY : FILE);
        LOG.info("{} could be opened by others, and only by its owner from now on", ours);
      }
    } catch (IOException e) {
      LOG.warn("{} can be opened by others, and that cannot be changed: {}", ours, e.toString());
    }
  }

  /** Logs a warning when others can read a directory that the gateway may not have created. */
  public static void warn(Path directory) {
    try {
      if (!othersMay(directory).isEmpty()) {
        LOG.warn(
            "others can look into the data directory {}: chmod 700 it unless that is meant",
            directory);
      }
    } catch (IOException e) {
      LOG.debug("the permissions of {} cannot be read", directory, e);
    }
  }

  /** Returns the permissions of group and others; empty without POSIX permissions or a file. */
  private static Set<PosixFilePermission> othersMay(Path path) throws IOException {
    if (!knowsPermissions(path) || Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Set.of();
    }
    var view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return Set.of();
    }
    var loose = EnumSet.copyOf(DIRECTORY);
    loose.addAll(view.readAttributes().permissions());
    loose.removeAll(DIRECTORY);
    return loose;
  }
}
