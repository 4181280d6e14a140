/** Plugins whose libraries read the clock, as the kit finds them at their authors'. */
@NullMarked
package acme.dated;

import org.jspecify.annotations.NullMarked;
