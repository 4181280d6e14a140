/** Plugins whose libraries read the clock, in a package of an author outside of the project. */
@NullMarked
package acme.dated;

import org.jspecify.annotations.NullMarked;
