import Threadmill
