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
 * no moment in which others could open the file or directory. Where a file system has no POSIX
 * permissions, its own rules apply.
 */
public final class OwnerOnlyFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);

  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnlyFiles() {}

  /** Returns the attributes to create a file with. */
  public static FileAttribute<?>[] fileAttributes(Path path) {
    return attributes(path, FILE_MODE);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
    return supportsPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean supportsPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Creates a directory and its missing parents.
   *
   * @throws FileAlreadyExistsException when a file has the name of this directory or of one of its
   *     parents; the exception names that file
   */
  public static void createDirectories(Path directory) throws IOException {
    for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path)) {
        if (!Files.isDirectory(path)) {
          throw new FileAlreadyExistsException(path.toString());
        }
        break;
      }
    }
    Files.createDirectories(directory, attributes(directory, DIRECTORY_MODE));
  }

  /**
   * Creates an empty file, so that no other code creates it readable for others; keeps an existing
   * file.
   */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, fileAttributes(file));
    } catch (FileAlreadyExistsException exists) {
      // its content is kept
    }
  }

  /**
   * Restricts a file or directory that the gateway created, perhaps in an earlier version, to its
   * owner. When that is not permitted, this method only logs a warning.
   */
  public static void restrictToOwner(Path path) {
    Set<PosixFilePermission> excess;
    try {
      excess = permissionsOfOthers(path);
    } catch (IOException e) {
      LOG.warn("the permissions of {} cannot be read: {}", path, e.toString());
      return;
    }
    try {
      if (!excess.isEmpty()) {
        Files.setPosixFilePermissions(path, Files.isDirectory(path) ? DIRECTORY_MODE : FILE_MODE);
        LOG.info(
            "other users had access to {}; its permissions are now restricted to its owner", path);
      }
    } catch (IOException e) {
      LOG.warn(
          "other users have access to {}, and its permissions cannot be changed: {}",
          path,
          e.toString());
    }
  }

  /** Logs a warning when others can read a directory that the gateway may not have created. */
  public static void warnIfOpenToOthers(Path directory) {
    try {
      if (!permissionsOfOthers(directory).isEmpty()) {
        LOG.warn(
            "other users have access to the data directory {}: run chmod 700 on it, unless that is"
                + " intended",
            directory);
      }
    } catch (IOException e) {
      LOG.debug("the permissions of {} cannot be read", directory, e);
    }
  }

  /** Returns the permissions of group and others; empty without POSIX permissions or a file. */
  private static Set<PosixFilePermission> permissionsOfOthers(Path path) throws IOException {
    if (!supportsPosix(path) || Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Set.of();
    }
    var view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return Set.of();
    }
    var excess = EnumSet.copyOf(DIRECTORY_MODE);
    excess.addAll(view.readAttributes().permissions());
    excess.removeAll(DIRECTORY_MODE);
    return excess;
  }
}
